import { createIsland, type NewIsland } from '@astropelago/contract/islands'
import type { APIRequestContext } from '@playwright/test'
import { askApi } from './ask-api.ts'
import { newCredentials } from './new-credentials.ts'

/** An island of the signed-in user that nobody else knows of yet, with a name that no other test has. */
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
