import type { TokenHeartbeat } from '../command-guide.ts'

/** A device's heartbeat without an offset. */
export function sampleHeartbeat(publicUrl: string): TokenHeartbeat {
  return {
    publicUrl,
    token: 'apd_-_0aZ3kQ9mVx7TnR2wLs5YbHc8JdPfGt4UeKiOqXzWv1M',
    deviceId: '3f1c9a52-77d0-4c1e-9b35-0a6f2e8d4b17',
    offsetSeconds: 0,
    schedule: null,
  }
}

/** Every character that a shell, cron, curl or systemd could interpret. */
export const awkwardPath = '/it\'s/$(touch pwned)/&;!x{a,b}[1-3]/%41%/$HOME"`id`'
