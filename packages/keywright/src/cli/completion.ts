/* Shell completion, made from the list of commands: no program runs while the user types. */

export type Shell = "bash" | "zsh" | "fish"

export interface CompletedCommand {
  readonly name: string
  readonly summary: string
  readonly options: readonly CompletedOption[]
}

export interface CompletedOption {
  /** `"--json"` */
  readonly name: string
  readonly about: string
  readonly takes: boolean
  readonly choices: readonly string[]
}

export const isShell = (text: string): text is Shell => ["bash", "zsh", "fish"].includes(text)

export const completionScript = (shell: Shell, commands: readonly CompletedCommand[]): string =>
  ({ bash, zsh, fish })[shell](commands)

const bash = (commands: readonly CompletedCommand[]): string => `# keywright: completion for bash
_keywright() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")} help" -- "$word"))
    return
  fi
  case "$command $before" in
${choicesOf(commands)
  .map(
    ([command, option, choices]) =>
      `    "${command} ${option}") COMPREPLY=($(compgen -W "${choices}" -- "$word")); return ;;`,
  )
  .join("\n")}
  esac
  case "$command" in
${commands.map(({ name, options }) => `    ${name}) [[ $word == -* ]] && COMPREPLY=($(compgen -W "${options.map((one) => one.name).join(" ")} --help" -- "$word")) ;;`).join("\n")}
  esac
}
complete -o default -F _keywright keywright
`

const zsh = (commands: readonly CompletedCommand[]): string => `#compdef keywright
# keywright: completion for zsh
_keywright() {
  if (( CURRENT == 2 )); then
    local -a names=(
${commands.map(({ name, summary }) => `      ${quoted(`${name}:${summary}`)}`).join("\n")}
    )
    _describe command names
    return
  fi
  case $words[2] in
${commands
  .map(({ name, options }) => {
    const specs = options.map(({ name, about, takes, choices }) => {
      const value = choices.length > 0 ? `:value:(${choices.join(" ")})` : takes ? ":value:_files" : ""
      return quoted(`*${name}[${about.replace(/[[\]]/g, "")}]${value}`)
    })
    return `    ${name}) _arguments ${specs.join(" ")} '*:file:_files' ;;`
  })
  .join("\n")}
  esac
}
compdef _keywright keywright
`

const fish = (commands: readonly CompletedCommand[]): string => {
  const lines = commands.flatMap(({ name, summary, options }) => [
    `complete -c keywright -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ...options.map(
      (option) =>
        `complete -c keywright -n '__fish_seen_subcommand_from ${name}' -l ${option.name.slice(2)}${option.takes ? " -r" : ""}${option.choices.length > 0 ? ` -f -a ${quoted(option.choices.join(" "))}` : ""} -d ${quoted(option.about)}`,
    ),
  ])
  return `# keywright: completion for fish\n${lines.join("\n")}\n`
}

const choicesOf = (commands: readonly CompletedCommand[]): [command: string, option: string, choices: string][] =>
  commands.flatMap(({ name, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map((option): [string, string, string] => [name, option.name, option.choices.join(" ")]),
  )

const quoted = (text: string): string => `'${text.replaceAll("'", "’")}'`
