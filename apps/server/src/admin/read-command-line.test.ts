import { expect, test } from 'vitest'
import { command, CommandMistaken } from './command.ts'
import { commands } from './commands.ts'
import { help, readCommandLine } from './read-command-line.ts'

const output = async () => ({ text: '', json: null })
const known = [
  command({
    words: 'users list',
    summary: 'Lists',
    options: { limit: { value: 'count', summary: 'So many' }, all: { summary: 'All' } },
    run: output,
  }),
  command({
    words: 'users delete',
    summary: 'Deletes',
    arguments: [{ name: 'username', summary: 'Who' }],
    confirm: ({ username }) => ({ warning: 'For good.', word: username }),
    run: output,
  }),
  command({ words: 'audit', summary: 'Lists', run: output }),
]
const read = (...args: readonly string[]) => readCommandLine(known, args)

function mistake(...args: readonly string[]): string {
  try {
    read(...args)
  } catch (error) {
    if (error instanceof CommandMistaken) return error.message
    throw error
  }
  return ''
}

test('words choose the command, and its arguments and options follow in any order', () => {
  const [list, remove, audit] = known
  const plain = { kind: 'run', isJson: false, isConfirmed: false }
  expect(read('audit')).toEqual({ ...plain, command: audit, input: {} })
  expect(read('users', 'list', '--limit', '5', '--all', '--json')).toEqual({
    ...plain,
    command: list,
    input: { limit: '5', all: true },
    isJson: true,
  })
  expect(read('users', 'delete', '--yes', 'nova')).toEqual({
    ...plain,
    command: remove,
    input: { username: 'nova' },
    isConfirmed: true,
  })
})

test('help is printed without a command, for all commands, and for one command', () => {
  expect(read()).toEqual({ kind: 'help', command: undefined })
  expect(read('--help')).toEqual({ kind: 'help', command: undefined })
  expect(read('help')).toEqual({ kind: 'help', command: undefined })
  expect(read('users', 'delete', '--help')).toEqual({ kind: 'help', command: known[1] })
})

test.each([
  ['a slip', ['users', 'lst'], 'Did you mean “users list”?'],
  ['a slip in the first word', ['user', 'list'], 'Did you mean “users list”?'],
  ['a slip in a single word', ['adit'], 'Did you mean “audit”?'],
  ['half a command', ['users'], '“users” needs one more word: users list, users delete'],
  [
    'a word that no group has',
    ['users', 'frob'],
    '“users frob”. There are: users list, users delete',
  ],
  ['a missing argument', ['users', 'delete'], '“users delete” needs the username: npm run admin'],
  ['one word too many', ['audit', 'more'], '“more” is one word too many'],
  ['an unknown option', ['users', 'list', '--limt', '5'], 'Did you mean “--limit”?'],
  ['an option without its value', ['users', 'list', '--limit'], '[--limit <count>]'],
])('%s is refused with a suggestion', (_, args, message) => {
  expect(mistake(...args)).toContain(message)
})

test('an unrecognizable command is refused without a guess', () => {
  expect(mistake('frobnicate')).toBe(
    'There is no command “frobnicate”. All of them: npm run admin -- help',
  )
})

test('help describes each command in one line that fits a terminal, and each command’s own help names its options', () => {
  const overview = help(commands, undefined)
  for (const one of commands) {
    expect(overview).toContain(`  ${one.words}`)
    const details = help(commands, one)
    for (const name of Object.keys(one.options)) expect(details).toContain(`--${name}`)
    expect(one.summary).toMatch(/^[A-Z][^.\n]+$/)
  }
  for (const line of overview.split('\n')) expect(line.length).toBeLessThanOrEqual(110)
  expect(new Set(commands.map(({ words }) => words)).size).toBe(commands.length)
})
