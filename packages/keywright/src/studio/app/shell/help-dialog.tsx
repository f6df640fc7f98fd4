import { Dialog } from "../parts/dialog.tsx"
import { helping, placesNow } from "../state/keyboard.ts"

/** Every key that does something. */
export const HelpDialog = () => (
  <Dialog title="Keyboard shortcuts" onClose={() => (helping.value = false)}>
    <dl class="dialog-body keys-help">
      <dt>
        <kbd>/</kbd> or <kbd>Ctrl</kbd> <kbd>K</kbd>
      </dt>
      <dd>Search patterns, fields, keys and findings</dd>
      {placesNow().flatMap(([key, { text }]) => [
        <dt key={key}>
          <kbd>g</kbd> <kbd>{key}</kbd>
        </dt>,
        <dd key={`${key}-text`}>{text}</dd>,
      ])}
      <dt>
        <kbd>↑</kbd> <kbd>↓</kbd>
      </dt>
      <dd>Move in the tree, in tables and lists</dd>
      <dt>
        <kbd>→</kbd> <kbd>←</kbd>
      </dt>
      <dd>Open and close a part of the tree</dd>
      <dt>
        <kbd>[</kbd> <kbd>]</kbd>
      </dt>
      <dd>Previous page, next page</dd>
      <dt>
        <kbd>t</kbd>
      </dt>
      <dd>Light or dark</dd>
      <dt>
        <kbd>?</kbd>
      </dt>
      <dd>This help</dd>
    </dl>
  </Dialog>
)
