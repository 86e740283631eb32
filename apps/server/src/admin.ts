import { createInterface } from 'node:readline/promises'
import {
  CommandMistaken,
  CommandRefused,
  type CallRoute,
  type Confirmation,
  type Output,
} from './admin/command.ts'
import { commands } from './admin/commands.ts'
import { reachServer } from './admin/reach-server.ts'
import { help, readCommandLine, type CommandLine } from './admin/read-command-line.ts'
import { isOperatorsToMend } from './start-failure.ts'

process.exitCode = await run()

/** @returns the exit code: 0 done; 1 refused or failed; 2 a mistake in the command */
async function run(): Promise<0 | 1 | 2> {
  try {
    const line = readCommandLine(commands, process.argv.slice(2))
    if (line.kind === 'help') {
      process.stdout.write(help(commands, line.command))
      return 0
    }
    const { text, json } = await runCommand(line)
    process.stdout.write(line.isJson ? `${JSON.stringify(json, null, 2)}\n` : `${text}\n`)
    return 0
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`)
    return error instanceof CommandMistaken ? 2 : 1
  }
}

async function runCommand({
  command,
  input,
  isConfirmed,
}: Extract<CommandLine, { kind: 'run' }>): Promise<Output> {
  if (command.confirm !== undefined && !isConfirmed) await askToConfirm(command.confirm(input))
  // Only at the first call, because commands that work on the storage itself make none.
  let reached: ReturnType<typeof reachServer> | undefined
  const call: CallRoute = async (route, routeInput) => {
    reached ??= reachServer()
    return await (await reached).call(route, routeInput)
  }
  try {
    return await command.run({ input, call, isConfirmed })
  } finally {
    const server = await reached?.catch(() => undefined)
    await server?.leave()
  }
}

/** @throws CommandRefused if another word is typed, CommandMistaken without a terminal */
async function askToConfirm({ warning, word }: Confirmation): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new CommandMistaken('This can’t be undone: add --yes where nobody can be asked.')
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const typed = await terminal.question(`${warning}\nType “${word}” to go on: `)
    if (typed.trim() !== word) throw new CommandRefused('Nothing was done.')
  } finally {
    terminal.close()
  }
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return `It failed: ${String(error)}`
  const isPlain: boolean =
    error instanceof CommandMistaken || error instanceof CommandRefused || isOperatorsToMend(error)
  if (isPlain) return error.message
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `It failed: ${error.message}${cause}`
}
