import { randomBytes } from 'node:crypto'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import {
  AboutInstallation,
  DirectoryEntries,
  directoryPath,
  SignedStatement,
  wellKnownPath,
  type StatementHead,
} from '@astropelago/contract/neighbour-directory'
import * as v from 'valibot'
import { signFollow } from '../directory/follow-requests.ts'
import { readStatements } from '../following/read-statements.ts'
import { StatementOrder } from '../following/statement-order.ts'
import { importKey, newPrivateKey, readStatement, signerOf } from '../statements.ts'

/** An installation says every 15 seconds that it is there. */
const aliveMs = 20_000
const justStartedMs = 6000

export interface Finding {
  /** Of docs/neighbours.md. */
  readonly rule: string
  readonly what: string
  /** Undefined if the rule holds. */
  readonly fault: string | undefined
}

interface Follow {
  readonly to: string
  readonly at: number
  readonly nonce: string
}

/**
 * Follows an installation and compares what it does with the rules. Its own address need not answer, so it
 * shows up there as a follower that could not be verified.
 */
export async function* playFollower(
  address: string,
  ownAddress = 'https://conformance.example',
): AsyncGenerator<Finding> {
  const signer = signerOf(newPrivateKey())
  const ask = (asked: Partial<Follow> = {}, after = '') =>
    open(`${address}${directoryPath}${after}`, {
      authorization: signFollow(signer, {
        from: ownAddress,
        to: address,
        at: Date.now(),
        ...asked,
      }),
    })

  let key: ReturnType<typeof importKey> | undefined
  yield await check('F1', 'It says who it is, signed by its key', async () => {
    const answer = await open(`${address}${wellKnownPath}`, {})
    const document = v.parse(SignedStatement, JSON.parse(await textOf(answer)))
    const about = v.parse(AboutInstallation, JSON.parse(document.body))
    const head = readStatement(document, importKey(about.key))
    if (head.kind !== 'about') throw new Error(`it is of the kind ${head.kind}`)
    if (head.from !== address) throw new Error(`it says that it is at ${head.from}`)
    key = importKey(about.key)
  })
  if (key === undefined) return
  const known = key

  yield await check('F5', 'It refuses a request without a signature', () =>
    refused(open(`${address}${directoryPath}`, {})),
  )
  yield await check('F5', 'It refuses a request to somebody else', () =>
    refused(ask({ to: 'https://other.example' })),
  )
  yield await check('F5', 'It refuses a request of six minutes ago', () =>
    refused(ask({ at: Date.now() - 360_000 })),
  )
  yield await check('F5', 'It refuses a request that it has seen', async () => {
    const nonce = randomBytes(18).toString('base64url')
    const first = await ask({ nonce })
    first.destroy()
    if (first.statusCode !== 200) throw new Error(`the first got the status ${first.statusCode}`)
    await refused(ask({ nonce }))
  })

  let position: StatementOrder['position']
  yield await check(
    'F3',
    'It sends a whole snapshot in pages, and then signs of life',
    async () => {
      const kinds = await readAll(await ask(), {
        key: known,
        address,
        whenAlive: (order) => {
          position = order.position
        },
      })
      if (kinds[0] !== 'page') throw new Error(`it begins with ${kinds[0] ?? 'nothing'}`)
      if (kinds.at(-1) !== 'alive') throw new Error('it does not say that it is alive')
    },
  )
  yield await check('F3', 'It goes on from where a follower was', async () => {
    if (position === undefined) throw new Error('there is no position')
    const after = `?after=${position.epoch}-${position.number}`
    const goOn = async () => await readAll(await ask({}, after), { key: known, address, position })
    if (!(await goOn()).includes('page')) return
    // A server that has just started may not know what others have sent.
    await wait(justStartedMs)
    if ((await goOn()).includes('page')) throw new Error('it sends a snapshot again')
  })
  yield await check('F6', 'It sends a snapshot to whoever has another epoch', async () => {
    const kinds = await readAll(await ask({}, '?after=1-1'), { key: known, address })
    if (kinds[0] !== 'page') throw new Error(`it begins with ${kinds[0] ?? 'nothing'}`)
  })
}

async function check(rule: string, what: string, run: () => Promise<unknown>): Promise<Finding> {
  try {
    await run()
    return { rule, what, fault: undefined }
  } catch (error) {
    return { rule, what, fault: error instanceof Error ? error.message : String(error) }
  }
}

async function refused(asked: Promise<IncomingMessage>): Promise<void> {
  const { statusCode } = await asked.then((answer) => answer.destroy())
  if (statusCode !== 401) throw new Error(`the status is ${statusCode} instead of 401`)
}

/** Reads until it says that it is alive. @returns the kinds of statements, in their order */
async function readAll(
  answer: IncomingMessage,
  {
    key,
    address,
    position,
    whenAlive,
  }: {
    readonly key: ReturnType<typeof importKey>
    readonly address: string
    readonly position?: StatementOrder['position']
    readonly whenAlive?: (order: StatementOrder) => void
  },
): Promise<StatementHead['kind'][]> {
  if (answer.statusCode !== 200) throw new Error(`the status is ${answer.statusCode}`)
  const { epoch = null, number = null } = position ?? {}
  const order = new StatementOrder({ address, epoch, number, now: Date.now })
  const kinds: StatementHead['kind'][] = []
  const late = setTimeout(() => answer.destroy(new Error('it is silent for 20 seconds')), aliveMs)
  try {
    for await (const statement of readStatements(answer, Date.now)) {
      const head = readStatement(statement, key)
      order.take(head)
      kinds.push(head.kind)
      if (head.kind === 'alive') {
        whenAlive?.(order)
        break
      }
      v.parse(DirectoryEntries, JSON.parse(statement.body))
    }
  } finally {
    clearTimeout(late)
    answer.destroy()
  }
  return kinds
}

function open(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const request = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    request(url, { headers, agent: false }).on('response', resolve).on('error', reject).end()
  })
}

async function textOf(answer: IncomingMessage): Promise<string> {
  if (answer.statusCode !== 200) throw new Error(`the status is ${answer.statusCode}`)
  return (await Array.fromAsync(answer.setEncoding('utf8'))).join('')
}
