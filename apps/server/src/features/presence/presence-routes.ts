import { stripVTControlCharacters } from 'node:util'
import { sessionHeartbeat, tokenHeartbeat } from '@astropelago/contract/devices'
import { heartbeatTextMaxBytes } from '@astropelago/contract/limits'
import type { QueryOutput } from '@astropelago/contract/route'
import { normalizeLongText } from '@astropelago/contract/text'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { SaidReport } from './reports/device-reports.ts'

/** Colours and other escapes take room too. What is past it is never read. */
const readMaxBytes = 4 * heartbeatTextMaxBytes

/** Control characters except line breaks and tabs, and characters that reorder text. */
const unreadable = /[^\P{Cc}\t\n\r\u0085]|\p{Bidi_Control}/gu

/** More combining marks on one letter than `normalizeLongText` accepts. */
const tooManyMarks = /(\p{M}{31})\p{M}+/gu

type Said = Pick<QueryOutput<typeof tokenHeartbeat>, 'status' | 'exit'>

export async function presenceRoutes(
  app: FastifyInstance,
  options: {
    readonly serve: Serve
    readonly heartbeat: (deviceKey: number) => Promise<void>
    readonly say: (report: SaidReport) => Promise<void>
    readonly isScheduled: (deviceKey: number) => boolean
    readonly findOwnDeviceKey: (userKey: number, id: string) => Promise<number | undefined>
    readonly recordTokenUse: (tokenKey: number) => void
  },
) {
  const { serve, heartbeat, say, isScheduled, findOwnDeviceKey, recordTokenUse } = options
  // Devices post whatever their tool sends by default. Accept any content type, none, and bodies that
  // Fastify would refuse to parse. Plain text is stored for the owner, everything else is dropped.
  const withText = new WeakSet<FastifyRequest>()
  app.addHook('onRequest', async (request) => {
    if (/^\s*text\/plain\s*(?:;|$)/i.test(request.headers['content-type'] ?? ''))
      withText.add(request)
    delete request.headers['content-type']
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) =>
      withText.has(request) ? heartbeatText(body) : undefined,
  )

  const report = async (deviceKey: number, { status, exit }: Said, text?: string | null) => {
    // With a schedule, a run that starts and never ends has to count as missed ([P14]).
    if (status !== 'start' || !isScheduled(deviceKey)) await heartbeat(deviceKey)
    if (status === undefined && exit === undefined && typeof text !== 'string') return
    await say({
      deviceKey,
      status: status ?? ((exit ?? 0) === 0 ? 'ok' : 'fail'),
      text: text ?? null,
      exitCode: exit ?? null,
    })
  }

  serve(
    app,
    sessionHeartbeat,
    async ({ user, query, body }) => {
      const deviceKey = await findOwnDeviceKey(user.userKey, query.id)
      if (deviceKey === undefined) throw new DomainError('not_found')
      await report(deviceKey, query, body)
      return { status: 204 }
    },
    { isQuiet: true },
  )

  serve(
    app,
    tokenHeartbeat,
    async ({ device, query, body }) => {
      await report(device.deviceKey, query, body)
      recordTokenUse(device.tokenKey)
      return { status: 204 }
    },
    { isQuiet: true },
  )
}

/** Undefined if nothing is visible. No body is refused: odd bytes must not make a device go offline. */
function heartbeatText(body: Buffer): string | undefined {
  // A letter that is cut off at the end is left out.
  const decoded = new TextDecoder().decode(body.subarray(0, readMaxBytes), { stream: true })
  const readable = stripVTControlCharacters(decoded).replace(unreadable, '')
  const text = normalizeLongText(readable.replace(tooManyMarks, '$1'))
  return text === undefined || text === '' ? undefined : cutToLimit(text)
}

function cutToLimit(text: string): string {
  const bytes = Buffer.alloc(heartbeatTextMaxBytes)
  // Writes whole characters only.
  return bytes.toString('utf8', 0, bytes.write(text)).trimEnd()
}
