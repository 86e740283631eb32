import type { Command } from './command.ts'
import { synopsis } from './read-command-line.ts'

/** Describes all commands, or one of them. */
export function help(commands: readonly Command[], command: Command | undefined): string {
  return command === undefined ? overview(commands) : details(command)
}

function overview(commands: readonly Command[]): string {
  const usages = commands.map(({ words, arguments: named }) =>
    [words, ...named.map(({ name }) => `<${name}>`)].join(' '),
  )
  const width = Math.max(...usages.map((usage) => usage.length))
  const lines = commands.map(
    ({ summary }, at) => `  ${(usages[at] ?? '').padEnd(width)}  ${summary}`,
  )
  return `Runs this server’s community, beside the running server or without it.

  npm run admin -- <command> [--json] [--help]

${lines.join('\n')}

Give it the settings of the server: DATA_DIR, and DATABASE_URL where there is one. --json prints what
scripts can read, --help after a command tells what it takes. It ends with 0 when it is done, with 1
when that was refused or failed, with 2 when the command was mistaken.
`
}

function details(command: Command): string {
  const lines = [
    ...command.arguments.map(({ name, summary }) => [`<${name}>`, summary] as const),
    ...Object.entries(command.options).map(
      ([name, { value, summary }]) =>
        [value === undefined ? `--${name}` : `--${name} <${value}>`, summary] as const,
    ),
    ...(command.confirm === undefined ? [] : [['--yes', 'Does it without asking'] as const]),
    ['--json', 'Prints what scripts can read'] as const,
  ]
  const width = Math.max(...lines.map(([name]) => name.length))
  const described = lines.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`)
  return `${command.summary}.\n\n  ${synopsis(command)}\n\n${described.join('\n')}\n`
}
