/** Makes an island at home, as its host does through the API. */
import { createIsland, type AccessPolicy, publishIsland } from '@astropelago/contract/islands'
import * as v from 'valibot'
import type { HttpClient } from '../../apps/server/src/test/http-client.ts'

/** A public island with a device of its own, and the token for that device's agents. */
export async function makeIsland(host: HttpClient, slug: string) {
  const carrier = await host.registerDevice()
  const token = await host.createToken(carrier, 'relay')
  const id = await draftIsland(host, { slug, carrier })
  return { token, ...(await publish(host, id, 'public')) }
}

/** @returns the island's id */
export async function draftIsland(
  host: HttpClient,
  { slug, carrier }: { readonly slug: string; readonly carrier: string },
): Promise<string> {
  const draft = await host.call('POST', createIsland.path, {
    name: 'Harbor Bar',
    kind: 'lab',
    slug,
    carrier,
    isRelayed: true,
  })
  return v.parse(createIsland.answers[201], await draft.json()).id
}

export async function publish(host: HttpClient, id: string, access: AccessPolicy) {
  const path = publishIsland.path.replace(':id', id)
  const answer = await host.call('POST', path, { access, isListed: false })
  const { slug } = v.parse(publishIsland.answers[200], await answer.json())
  return { id, slug }
}
