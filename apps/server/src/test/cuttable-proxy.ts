import { connect, createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { portOf } from './listen.ts'

/** A connection to a server that a test can cut. */
export interface CuttableProxy {
  readonly port: number
  /** Ends all connections and refuses new ones. */
  readonly cut: () => void
  /** Silently lets nothing through: connections stay open, and new ones are accepted. */
  readonly stall: () => void
  /** Lets a statement through, but no answer after it. */
  readonly loseAnswerTo: (statement: string) => void
  /** Ends stalled connections and lets new ones through. */
  readonly mend: () => void
}

export async function openCuttableProxy(targetPort: number): Promise<CuttableProxy> {
  let state: 'open' | 'cut' | 'stalled' = 'open'
  let lastStatement: string | undefined
  const pairs = new Set<readonly [Socket, Socket]>()
  const end = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
    pairs.clear()
  }
  const server = createServer((near) => {
    if (state === 'cut') {
      near.destroy()
      return
    }
    const far = connect(targetPort, '127.0.0.1')
    const pair = [near, far] as const
    pairs.add(pair)
    const pass = (to: Socket) => (chunk: Buffer) => {
      if (state === 'open') to.write(chunk)
    }
    near.on('data', (chunk: Buffer) => {
      pass(far)(chunk)
      if (lastStatement !== undefined && chunk.includes(lastStatement)) state = 'stalled'
    })
    far.on('data', pass(near))
    for (const socket of pair) {
      // Errors are the point: one end's failure reaches the other end.
      socket.on('error', () => undefined)
      socket.on('close', () => {
        for (const other of pair) other.destroy()
        pairs.delete(pair)
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    end()
    server.close()
  })
  return {
    port: portOf(server),
    cut: () => {
      state = 'cut'
      end()
    },
    stall: () => {
      state = 'stalled'
    },
    loseAnswerTo: (statement) => {
      lastStatement = statement
    },
    mend: () => {
      end()
      lastStatement = undefined
      state = 'open'
    },
  }
}
