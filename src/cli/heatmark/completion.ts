import type { Command } from 'commander'

/** Return a script that makes bash complete the commands of this program and their options. */
export function bashCompletion(program: Command): string {
  const name = program.name()
  const cases = wordsAfter(program).map(([path, words]) => `    '${path}'*) words='${words.join(' ')}' ;;`)
  return `# Load it with: eval "$(npx ${name} completion)"
_${name}() {
  local words
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1} " in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${name} ${name}
`
}

/** Return the words that may follow each command, the longest path first, since the first case that fits is taken. */
function wordsAfter(command: Command, path = ''): (readonly [string, readonly string[]])[] {
  const options = command.options.flatMap(({ long }) => long ?? [])
  const below = command.commands.flatMap((one) => wordsAfter(one, `${path}${one.name()} `))
  return [...below, [path, [...command.commands.map((one) => one.name()), ...options]]]
}
