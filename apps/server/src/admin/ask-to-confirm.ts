import { createInterface } from 'node:readline/promises'
import { CommandMistaken, CommandRefused, type Confirmation } from './command.ts'

/**
 * Asks the operator to type a word before something that can't be undone.
 * @throws CommandRefused if another word is typed, CommandMistaken if there is nobody to ask
 */
export async function askToConfirm({ warning, word }: Confirmation): Promise<void> {
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
