import { parseArgs } from 'node:util'
import { type AnyInput, type Command, CommandMistaken } from './command.ts'
import { nearestName } from '../nearest-name.ts'

export type CommandLine =
  | { readonly kind: 'help'; readonly command: Command | undefined }
  | {
      readonly kind: 'run'
      readonly command: Command
      readonly input: AnyInput
      readonly isJson: boolean
      readonly isConfirmed: boolean
    }

/** @throws CommandMistaken */
export function readCommandLine(
  commands: readonly Command[],
  args: readonly string[],
): CommandLine {
  const end = args.findIndex((arg) => arg.startsWith('-'))
  const words = end === -1 ? args : args.slice(0, end)
  const command = findCommand(commands, words)
  const wantsHelp = args.includes('--help') || args.includes('-h') || words[0] === 'help'
  if (command === undefined) {
    if (wantsHelp || args.length === 0) return { kind: 'help', command: undefined }
    throw new CommandMistaken(unknownCommand(commands, words))
  }
  if (wantsHelp) return { kind: 'help', command }
  const { values, positionals } = parse(command, args.slice(command.words.split(' ').length))
  const { json, yes, ...options } = values
  const given = command.arguments.map(({ name }, at) => [name, positionals[at]] as const)
  const missing = given.find(([, value]) => value === undefined)
  if (missing !== undefined) {
    throw new CommandMistaken(`“${command.words}” needs the ${missing[0]}: ${synopsis(command)}`)
  }
  const extra = positionals[given.length]
  if (extra !== undefined) {
    throw new CommandMistaken(`“${extra}” is one word too many: ${synopsis(command)}`)
  }
  const input = { ...Object.fromEntries(given), ...inputOf(options) }
  return { kind: 'run', command, input, isJson: json === true, isConfirmed: yes === true }
}

function synopsis({ words, arguments: named, options, confirm, previews }: Command): string {
  const parts = [
    `npm run admin -- ${words}`,
    ...named.map(({ name }) => `<${name}>`),
    ...Object.entries(options).map((option) => `[${typedOption(option)}]`),
    ...(confirm === undefined && previews === undefined ? [] : ['[--yes]']),
  ]
  return parts.join(' ')
}

function typedOption([name, { value }]: readonly [string, { readonly value?: string }]): string {
  return value === undefined ? `--${name}` : `--${name} <${value}>`
}

export function help(commands: readonly Command[], command: Command | undefined): string {
  return command === undefined ? overview(commands) : details(command)
}

function overview(commands: readonly Command[]): string {
  const lines = commands.map(({ words, arguments: named, summary }) => {
    const usage = [words, ...named.map(({ name }) => `<${name}>`)].join(' ')
    return [usage, summary] as const
  })
  return `Manages this server’s community, whether the server runs or not.

  npm run admin -- <command> [--json] [--help]

${inColumns(lines)}

Give it the server’s settings: DATA_DIR, and DATABASE_URL if there is one. --json prints what scripts
can read, and --help after a command describes that command. The exit code is 0 after success, 1 after
a refusal or failure, and 2 if the command was wrong.
`
}

function details(command: Command): string {
  const lines = inColumns([
    ...command.arguments.map(({ name, summary }) => [`<${name}>`, summary] as const),
    ...Object.entries(command.options).map(
      (option) => [typedOption(option), option[1].summary] as const,
    ),
    ...(command.confirm === undefined ? [] : [['--yes', 'Does it without asking'] as const]),
    ...(command.previews === undefined ? [] : [['--yes', command.previews] as const]),
    ['--json', 'Prints what scripts can read'],
  ])
  return `${command.summary}.\n\n  ${synopsis(command)}\n\n${lines}\n`
}

function inColumns(lines: readonly (readonly [string, string])[]): string {
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`).join('\n')
}

function findCommand(commands: readonly Command[], typed: readonly string[]): Command | undefined {
  return commands
    .filter(({ words }) => words.split(' ').every((word, at) => word === typed[at]))
    .toSorted((a, b) => b.words.length - a.words.length)[0]
}

function parse(command: Command, args: readonly string[]) {
  const known = Object.entries(command.options).map(
    ([name, { value }]) =>
      [name, { type: value === undefined ? 'boolean' : 'string' } as const] as const,
  )
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...Object.fromEntries(known),
        json: { type: 'boolean' },
        yes: { type: 'boolean' },
      },
    })
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.split('. ') : []
    const name = /'-{1,2}([\w-]+)/.exec(reason)?.[1] ?? ''
    const near = nearestName(name, [...Object.keys(command.options), 'json', 'yes'])
    const hint = near === undefined || near === name ? '' : ` Did you mean “--${near}”?`
    throw new CommandMistaken(`${reason}.${hint}\n${synopsis(command)}`, { cause: error })
  }
}

/** The options that were typed for a command. None may be given twice. */
function inputOf(
  values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>,
): AnyInput {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'string' || value === true ? [[name, value]] : [],
    ),
  )
}

function unknownCommand(commands: readonly Command[], typed: readonly string[]): string {
  const [first = '', second] = typed
  const all = commands.map(({ words }) => words)
  const group = all.filter((words) => firstWord(words) === first)
  const isGroup = group.length > 0
  if (isGroup && second === undefined) {
    return `“${first}” needs one more word: ${group.join(', ')}`
  }
  const text = second === undefined ? first : `${first} ${second}`
  const near = isGroup
    ? nearestName(second ?? '', group.map(lastWord))
    : (nearestName(text, all) ?? nearestName(first, all.map(firstWord)))
  const meant = group.find((words) => lastWord(words) === near) ?? near
  const hint = meant === undefined ? '' : ` Did you mean “${meant}”?`
  const known = isGroup ? `There are: ${group.join(', ')}` : 'All of them: npm run admin -- help'
  return `There is no command “${text}”.${hint} ${known}`
}

function firstWord(words: string): string {
  return words.split(' ')[0] ?? ''
}

function lastWord(words: string): string {
  return words.split(' ').at(-1) ?? ''
}
