import {
  checkSlug,
  closeIsland,
  continueIsland,
  createIsland,
  listOwnIslands,
  type OwnIsland,
  pauseIsland,
  publishIsland,
  renameSlug,
  updateIsland,
} from '@astropelago/contract/islands'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { sampleDraft } from '../../../test/sample-island.ts'

/** Slugs of other users' islands. */
export const takenSlug = 'the-lighthouse'
export const takenSentence = 'Another island has this address, or one that looks like it.'

/** The user's islands, with changes kept as the server keeps them. */
export function answerOwnIslands(...islands: OwnIsland[]) {
  const replace = (id: string, change: (island: OwnIsland) => OwnIsland) => {
    const index = islands.findIndex((island) => island.id === id)
    const island = islands[index]
    if (island === undefined) return refused('not_found')
    const changed = change(island)
    islands.splice(index, 1, changed)
    return { status: 200 as const, body: changed }
  }
  const listed = answerApi(listOwnIslands, () => ({ status: 200, body: islands }))
  const created = answerApi(createIsland, ({ body: { slug = 'isle', carrier, ...body } }) => {
    const island = sampleDraft({
      ...body,
      slug: `${slug.slice(0, 25)}-x7k2p9`,
      carrier: carrier === null ? null : { id: carrier, label: 'Lighthouse' },
    })
    islands.unshift(island)
    return { status: 201, body: island }
  })
  const updated = answerApi(updateIsland, ({ params, body: { carrier, ...body } }) =>
    replace(params.id, (island) => ({
      ...island,
      ...body,
      ...(carrier !== undefined && {
        carrier: carrier === null ? null : { id: carrier, label: 'Lighthouse' },
      }),
    })),
  )
  const published = answerApi(publishIsland, ({ params, body: { slug, ...openness } }) => {
    if (slug === takenSlug) return refused('slug_taken', { slug: takenSentence })
    return replace(params.id, (island) => ({
      ...island,
      ...openness,
      slug: slug ?? island.slug,
      publishedAt: island.publishedAt ?? '2026-01-02T03:04:05.000Z',
    }))
  })
  const renamed = answerApi(renameSlug, ({ params, body: { slug } }) => {
    if (slug === takenSlug) return refused('slug_taken', { slug: takenSentence })
    return replace(params.id, (island) => ({
      ...island,
      slug,
      oldSlugs: [{ slug: island.slug, until: '2026-04-02T03:04:05.000Z' }],
    }))
  })
  const paused = answerApi(pauseIsland, ({ params, body: { text, until } }) =>
    replace(params.id, (island) => ({ ...island, isOpen: false, pause: { text, until } })),
  )
  answerApi(continueIsland, ({ params }) =>
    replace(params.id, (island) => ({ ...island, isOpen: true, pause: null })),
  )
  const closed = answerApi(closeIsland, ({ params, body: { slug } }) => {
    const index = islands.findIndex((island) => island.id === params.id)
    if (islands[index]?.slug !== slug) return refused('invalid_input')
    islands.splice(index, 1)
    return { status: 204 }
  })
  const checked = answerApi(checkSlug, ({ params: { slug } }) => ({
    status: 200,
    body:
      slug === takenSlug
        ? { isFree: false, sentence: takenSentence }
        : { isFree: true, sentence: null },
  }))
  return { islands, listed, created, updated, published, renamed, paused, closed, checked }
}
