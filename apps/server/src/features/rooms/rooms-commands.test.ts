import { afterAll, expect, test } from 'vitest'
import { CommandMistaken, CommandRefused } from '../../admin/command.ts'
import { commands } from '../../admin/commands.ts'
import { callServerAt } from '../../admin/reach-server.ts'
import { readCommandLine } from '../../admin/read-command-line.ts'
import { AdminSocket, adminSocketPath } from '../../http/admin-socket.ts'
import { makeTempDir } from '../../test/open-test-storage.ts'
import { shareRelayApp } from '../../test/relay-app.ts'
import { publishPages } from '../island-runtime/testing/island-page.ts'

const dataDir = await makeTempDir(afterAll)
const options = { adminSocket: new AdminSocket() }
let listening: Promise<void> | undefined

/** An island where Ada has written twice, and the command line of its server. */
async function setUp() {
  const relay = await shareRelayApp(options)
  listening ??= options.adminSocket.listen(relay.app, dataDir)
  await listening
  const { island, openAs } = await publishPages(relay)
  const ada = await openAs(await relay.signUp())
  await ada.join('chat')
  await ada.send('chat', 'First')
  await ada.send('chat', 'Second')
  const { id, name } = await ada.call({ call: 'user' })
  const call = callServerAt(adminSocketPath(dataDir))
  const room = async (...words: readonly string[]) => {
    const line = readCommandLine(commands, ['room', ...words])
    if (line.kind !== 'run') throw new Error('this is no command')
    return await line.command.run({ input: line.input, call })
  }
  return { ada, id, name, slug: island.slug, room }
}

test('an operator sees an island’s rooms and their messages', async () => {
  const { slug, id, name, room } = await setUp()
  const { text, json } = await room('list', slug)
  expect(text).toMatch(/^ROOM +LAST EVENT \(UTC\) +MESSAGES +PEOPLE NOW +WRITERS\n/)
  expect(text).toMatch(/\nchat +2026-01-01 00:00 +2 +1 +visitors$/)
  expect(json).toMatchObject([{ name: 'chat', messageCount: 2 }])
  const shown = await room('show', slug, 'chat')
  expect(shown.text).toMatch(/^NUMBER +TIME \(UTC\) +VISITOR +NAME +TEXT\n/)
  expect(shown.text).toMatch(new RegExp(`\n1 +2026-01-01 00:00 +${id} +${name} +First\n2 `))
  expect(shown.json).toMatchObject({ silenced: [] })
})

test('S70 an operator deletes messages, mutes, blocks and closes, at once', async () => {
  const { ada, slug, id, name, room } = await setUp()
  expect(await room('delete', slug, 'chat', '1')).toEqual({
    text: `Deleted: chat of ${slug}`,
    json: { kind: 'delete', message: 1 },
  })
  await room('mute', slug, 'chat', id, '--minutes', '5')
  expect(await ada.send('chat', 'Third')).toBe('muted')
  const muted = await room('show', slug, 'chat')
  expect(muted.text).not.toContain('First')
  expect(muted.text).toMatch(
    new RegExp(
      `\n\nVISITOR +NAME +STATE +UNTIL \\(UTC\\)\n${id} +${name} +muted +2026-01-01 00:05$`,
    ),
  )
  await room('unmute', slug, 'chat', id)
  expect(await ada.send('chat', 'Third')).toMatchObject({ n: 6 })
  await room('close', slug, 'chat')
  expect(await ada.send('chat', 'Fourth')).toBe('read_only')
  expect((await room('list', slug)).text).toMatch(/ moderators$/)
  await room('open', slug, 'chat')
  expect(await ada.send('chat', 'Fourth')).toMatchObject({ n: 9 })
  await room('erase', slug, 'chat', id)
  expect((await room('list', slug)).json).toMatchObject([{ messageCount: 0 }])
  await room('block', slug, 'chat', id)
  expect(await ada.join('chat')).toBe('muted')
  expect((await room('show', slug, 'chat')).text).toMatch(/ blocked +no end$/)
})

test('mistakes are named', async () => {
  const { slug, id, room } = await setUp()
  for (const words of [
    ['delete', slug, 'chat', 'first'],
    ['mute', slug, 'chat', id, '--minutes', '0'],
    ['block', slug, 'chat', id, '--minutes', '1.5'],
  ]) {
    await expect(room(...words)).rejects.toThrow(CommandMistaken)
  }
  for (const words of [
    ['list', slug.slice(0, -1)],
    ['show', slug, 'none'],
    ['show', slug, '../..'],
    ['mute', slug, 'chat', 'nobody'],
    ['delete', slug, 'none', '1'],
  ]) {
    await expect(room(...words)).rejects.toThrow(CommandRefused)
  }
})
