import { randomUUID } from 'node:crypto'
import { loungeSlug } from '@astropelago/contract/pages'
import type { IslandsStore } from './islands-store.ts'

/**
 * The island that every installation starts with, until an operator takes it over or closes it. It has
 * no address: where people meet is for the operator to say.
 */
export async function makeCommunityLounge(
  store: Pick<IslandsStore, 'insertOfInstallation'>,
  createdMs: number,
): Promise<void> {
  await store.insertOfInstallation({
    id: randomUUID(),
    slug: loungeSlug,
    name: 'Community Lounge',
    kind: 'social',
    tagline: 'Where Navigators meet',
    about:
      'The Traveler’s Tavern is where this network’s Navigators meet. Leave a note in its log to say hello.',
    address: null,
    door: 'public',
    isListed: true,
    createdMs,
  })
}
