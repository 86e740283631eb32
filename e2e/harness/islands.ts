import { createIsland, type NewIsland } from '@astropelago/contract/islands'
import type { APIRequestContext } from '@playwright/test'
import { askApi } from './ask-api.ts'
import { newCredentials } from './new-credentials.ts'

/** Drafts an island of the signed-in user, with a name that no other test uses. */
export async function makeIsland(request: APIRequestContext, details: Partial<NewIsland>) {
  const { username } = newCredentials()
  const data = {
    name: `Harbor of ${username}`,
    slug: `harbor-${username.slice(-8).toLowerCase()}`,
    kind: 'social',
    ...details,
  } as const
  const draft = await askApi(request, createIsland, { data })
  return { ...draft, slug: data.slug }
}
