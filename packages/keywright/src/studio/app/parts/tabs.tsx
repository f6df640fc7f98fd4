interface Props<Name extends string> {
  readonly label: string
  readonly tabs: Readonly<Record<Name, string>>
  readonly chosen: Name
  readonly onChoose: (name: Name) => void
}

/** A choice of a few, side by side. */
export const Tabs = <Name extends string>({ label, tabs, chosen, onChoose }: Props<Name>) => (
  <div class="tabs" role="group" aria-label={label}>
    {(Object.entries(tabs) as [Name, string][]).map(([name, text]) => (
      <button key={name} type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
        {text}
      </button>
    ))}
  </div>
)
