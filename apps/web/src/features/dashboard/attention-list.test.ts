import { expect, test } from 'vitest'
import { sampleDraft, sampleOwnIsland } from '../../test/sample-island.ts'
import { attentionOf } from './attention-list.tsx'

const closed = { isWatched: true, isOpen: false } as const
const hidden = { at: '2026-01-02T03:04:05.000Z', reason: 'It pretends to be a bank.' }

test('hidden islands come first, then requests, then closed islands', () => {
  const away = sampleOwnIsland(closed)
  const asked = sampleOwnIsland({ ...closed, requestCount: 2 })
  const gone = sampleOwnIsland({ ...closed, hidden })
  expect(attentionOf([away, asked, gone])).toEqual([
    { kind: 'hidden', island: gone, reason: 'It pretends to be a bank.' },
    { kind: 'requests', island: asked },
    { kind: 'closed', island: away },
    { kind: 'closed', island: asked },
  ])
})

test('open, paused and unwatched islands and drafts need no attention', () => {
  const open = sampleOwnIsland({ isWatched: true, isOpen: true, noteCount: 7 })
  const paused = sampleOwnIsland({ ...closed, pause: { text: '', until: null } })
  expect(attentionOf([open, paused, sampleOwnIsland(), sampleDraft(closed)])).toEqual([])
})
