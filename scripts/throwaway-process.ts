import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const lookMs = 50
const startLimitMs = 30_000

/** The user for programs that refuse to run as root. */
export interface Identity {
  readonly uid: number
  readonly gid: number
}

/**
 * The user nobody, who exists on every machine, if the current user is root. Undefined otherwise, since
 * only root can choose.
 */
export function unlessRoot(): Identity | undefined {
  if (process.getuid?.() !== 0) return undefined
  return { uid: idOfNobody('-u'), gid: idOfNobody('-g') }
}

function idOfNobody(option: '-u' | '-g'): number {
  return Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }))
}

/** A new folder that belongs to the program's user. */
export function makeFolder(identity: Identity | undefined): string {
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-long-'))
  if (identity !== undefined) chownSync(folder, identity.uid, identity.gid)
  return folder
}

export interface Throwaway {
  readonly stop: () => Promise<void>
}

interface ThrowawayOptions {
  readonly program: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly identity?: Identity | undefined
  /** Deleted when the program has ended. */
  readonly folder: string
  /** The program counts as started once it listens on this port. */
  readonly port: number
  readonly stopSignal: NodeJS.Signals
}

/**
 * Starts a program that listens on loopback, and waits until it does.
 * @throws Error with its output if it ends before that
 */
export async function startThrowaway(options: ThrowawayOptions): Promise<Throwaway> {
  const { program, args, env = process.env, identity, folder, port, stopSignal } = options
  const child = spawn(program, args, {
    ...identity,
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const note = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4000))
  child.stdout.on('data', note)
  child.stderr.on('data', note)
  const ended = once(child, 'close')
  const stop = async () => {
    if (hasEnded(child)) return
    child.kill(stopSignal)
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  const untilMs = performance.now() + startLimitMs
  while (!(await isListening(port))) {
    if (hasEnded(child) || performance.now() > untilMs) {
      await stop()
      throw new Error(`${program} did not start: ${output}`)
    }
    await wait(lookMs)
  }
  return { stop }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const isOpen = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false)
  socket.destroy()
  return isOpen
}
