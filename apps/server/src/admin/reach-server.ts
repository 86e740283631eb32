import { existsSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { ErrorBody } from '@astropelago/contract/error-body'
import type { AnswerBody, Route } from '@astropelago/contract/route'
import { pino } from 'pino'
import * as v from 'valibot'
import { readConfig, type Config } from '../config.ts'
import { adminSocketPath, isAnswering } from '../http/admin-socket.ts'
import { DataDirLocked, isLockedBefore } from '../storage/data-dir-lock.ts'
import { databasePath } from '../storage/sqlite-storage.ts'
import { CommandRefused, FieldsRefused, type CallRoute } from './command.ts'

/** Starts a server without a port if none runs on the configured folder. @throws CommandRefused */
export async function reachServer() {
  const config = readConfig()
  const { dataDir, databaseUrl } = config
  const path = adminSocketPath(dataDir)
  const call = callServerAt(path)
  if (await isServerAt(path)) return { call, leave: () => Promise.resolve() }
  refuseEmptyFolder(config)
  const where = databaseUrl === undefined ? dataDir : 'the PostgreSQL of DATABASE_URL'
  process.stderr.write(`No server runs on ${dataDir}: this is done in ${where} itself.\n`)
  process.umask(0o077)
  // Loaded only when needed, because it is all of the server.
  const { openApp } = await import('../open-app.ts')
  const log = pino({ level: 'warn' }, pino.destination(process.stderr.fd))
  try {
    const { listenForCommands, close } = await openApp({ config, log, webDir: undefined })
    await listenForCommands()
    return { call, leave: close }
  } catch (error) {
    if (!(error instanceof DataDirLocked)) throw error
    throw new CommandRefused(
      `A server is running on ${dataDir} that takes no commands: it is starting, ending, or of an ` +
        'older version. Try again in a moment, or restart it.',
      { cause: error },
    )
  }
}

/** Servers make a database; commands never do. @throws CommandRefused */
function refuseEmptyFolder({ dataDir, databaseUrl }: Config): void {
  if (databaseUrl !== undefined || existsSync(databasePath(dataDir))) return
  // The storage reports a database that has disappeared.
  if (isLockedBefore(dataDir)) return
  throw new CommandRefused(
    `There is no server’s data in ${dataDir}. Put DATA_DIR before the command: it names the folder where ` +
      'the server keeps its data.',
  )
}

async function isServerAt(path: string): Promise<boolean> {
  try {
    return await isAnswering(path)
  } catch (error) {
    const isForbidden = error instanceof Error && 'code' in error && error.code === 'EACCES'
    if (!isForbidden) throw error
    throw new CommandRefused(`${path} is for the server’s own user alone: run this as that user.`, {
      cause: error,
    })
  }
}

export function callServerAt(socketPath: string): CallRoute {
  return async (route, input) => {
    const { status, body } = await send(socketPath, route, input)
    const schema = route.answers[status]
    if (schema === undefined) throw refusal(status, body)
    // The schema returns the route's answer, but a type parameter can't express that.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (schema === null ? undefined : v.parse(schema, JSON.parse(body))) as AnswerBody<
      typeof route
    >
  }
}

async function send(socketPath: string, { method, path }: Route, input: unknown) {
  const parts = new Map<string, unknown>(Object.entries(input ?? {}))
  const body = parts.get('body')
  const content = body === undefined ? undefined : JSON.stringify(body)
  const response = await new Promise<IncomingMessage>((answered, failed) => {
    request({
      socketPath,
      method,
      path: filledPath(path, entriesOf(parts.get('params')), entriesOf(parts.get('query'))),
      headers: {
        host: 'localhost',
        ...(content !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(content),
        }),
      },
    })
      .once('response', answered)
      .once('error', failed)
      .end(content)
  })
  return { status: response.statusCode ?? 0, body: await text(response) }
}

function entriesOf(values: unknown): [string, string][] {
  return Object.entries(values ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
}

function filledPath(path: string, params: [string, string][], query: [string, string][]): string {
  const filled = params.reduce(
    (rest, [name, value]) => rest.replace(`:${name}`, encodeURIComponent(value)),
    path,
  )
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query).toString()}`
}

function refusal(status: number, body: string): CommandRefused {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ErrorBody), body)
  if (!parsed.success) {
    return new CommandRefused(`The server answered ${status} without saying why.`)
  }
  const { error, fields } = parsed.output
  return fields === undefined ? new CommandRefused(error) : new FieldsRefused(error, fields)
}
