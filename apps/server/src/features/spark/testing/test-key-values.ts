import type { InjectOptions } from 'fastify'
import { createTestApp, type TestApp, type TestBrowser } from '../../../test/create-test-app.ts'

/** What the platform runtime sends with a value. */
export const textHeaders = { 'content-type': 'text/plain;charset=UTF-8' }

/** What a page in one browser does with its store. */
export function testKeyValues({ inject }: Pick<TestBrowser, 'inject'>) {
  const post = (url: string, payload: string | Buffer, headers: InjectOptions['headers']) =>
    inject({ method: 'POST', url, payload, headers: { ...textHeaders, ...headers } })
  return {
    list: async (search = '') => (await inject({ url: `/_spark/kv${search}` })).json<string[]>(),
    get: (key: string, search?: string) =>
      inject({ url: entryUrl(key, search), headers: textHeaders }),
    set: (key: string, value: string | Buffer, { search = '', headers = {} } = {}) =>
      post(entryUrl(key, search), value, { 'x-spark-initial': 'false', ...headers }),
    setDefault: (key: string, value: string) =>
      post(entryUrl(key), value, { 'x-spark-initial': 'true' }),
    remove: (key: string, search?: string) =>
      inject({ method: 'DELETE', url: entryUrl(key, search) }),
  }
}

/** The server that the tests of a file share, with a new user, and that user's store. */
export async function keyValuesTestApp() {
  const testApp = await createTestApp()
  const owner = await testApp.signUp()
  return { ...testApp, owner, ...testKeyValues(owner) }
}

/** Puts values into a user's store, bypassing the API. */
export async function fillStore(
  { storage: { db }, owner }: Pick<TestApp, 'storage'> & { readonly owner: TestBrowser },
  values: readonly string[],
): Promise<void> {
  const { key } = await db
    .selectFrom('users')
    .select('key')
    .where('username', '=', owner.username)
    .executeTakeFirstOrThrow()
  const rows = values.map((value, i) => ({
    user_key: key,
    collection: '',
    name: `filled ${i}`,
    value,
    bytes: Buffer.byteLength(value),
  }))
  await db.insertInto('key_values').values(rows).execute()
}

/** A JSON text of exactly this many bytes. */
export function jsonOf(bytes: number): string {
  return `"${'x'.repeat(bytes - 2)}"`
}

function entryUrl(key: string, search = ''): string {
  return `/_spark/kv/${encodeURIComponent(key)}${search}`
}
