import { chmod, mkdir, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { once } from 'node:events'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Room for a socket's address: 108 bytes with a final zero, 104 on macOS. */
const pathMaxBytes = process.platform === 'linux' ? 107 : 103
const graceMs = 2000

/** No command can reach this server. The message is the one line that the operator reads. */
export class AdminSocketUnusable extends Error {}

/** @throws AdminSocketUnusable if the folder's path is too long for a socket in it */
export function adminSocketPath(dataDir: string): string {
  const path = join(dataDir, 'admin.sock')
  const overBytes = Buffer.byteLength(path) - pathMaxBytes
  if (overBytes <= 0) return path
  throw new AdminSocketUnusable(
    `DATA_DIR: the path of the folder is ${overBytes} bytes too long for the socket of npm run admin in it; ` +
      'move it, or let a shorter path lead there by a symbolic link',
  )
}

/** @throws Error if this user may not ask */
export async function isAnswering(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch (error) {
    // There is no such file, or a killed server left it behind.
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return false
    throw error
  } finally {
    socket.destroy()
  }
}

/** A second HTTP server for the command line. The right to open its socket is the only credential. */
export class AdminSocket {
  readonly #connections = new WeakSet<Socket>()
  #server: Server | undefined

  readonly isFrom = ({ raw }: Pick<FastifyRequest, 'raw'>): boolean =>
    this.#connections.has(raw.socket)

  /** @throws AdminSocketUnusable */
  async listen(app: FastifyInstance, dataDir: string): Promise<void> {
    const path = adminSocketPath(dataDir)
    const server = createServer((request, response) => {
      // These headers would name another caller than the user who opened the socket.
      delete request.headers.cookie
      delete request.headers.authorization
      app.routing(request, response)
    })
    server.on('connection', (socket) => this.#connections.add(socket))
    try {
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      if (await isAnswering(path)) {
        throw new AdminSocketUnusable(
          `npm run admin: another server answers at ${path}, which serves commands for all on its database`,
        )
      }
      await rm(path, { force: true })
      await listenPrivately(server, path)
    } catch (error) {
      if (error instanceof AdminSocketUnusable) throw error
      const reason = error instanceof Error ? error.message : String(error)
      throw new AdminSocketUnusable(`npm run admin: no commands beside this server: ${reason}`, {
        cause: error,
      })
    }
    this.#server = server
  }

  /** Takes no more calls. Resolves when those under way are answered or have taken too long. */
  async close(): Promise<void> {
    const server = this.#server
    if (server === undefined) return
    this.#server = undefined
    const closed = once(server, 'close')
    server.close()
    const grace = setTimeout(() => server.closeAllConnections(), graceMs)
    await closed
    clearTimeout(grace)
  }
}

/** The file is never open to others, not even between its creation and the change of its mode. */
async function listenPrivately(server: Server, path: string): Promise<void> {
  const umask = process.umask(0o177)
  try {
    server.listen(path)
  } finally {
    process.umask(umask)
  }
  await once(server, 'listening')
  await chmod(path, 0o600)
}
