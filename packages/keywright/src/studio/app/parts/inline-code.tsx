/** One sentence of a doc: `code` is the only mark. */
export const InlineCode = ({ text }: { readonly text: string }) => (
  <>{text.split(/`([^`]+)`/).map((piece, i) => (i % 2 === 1 ? <code key={i}>{piece}</code> : piece))}</>
)
