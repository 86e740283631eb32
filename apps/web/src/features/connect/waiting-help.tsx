import { LongWait } from './long-wait.tsx'

/** What to do until a heartbeat arrives and, after a long wait, what to check. */
export function WaitingHelp({ hasToken }: { hasToken: boolean }) {
  return (
    <>
      <p className="text-sm text-muted">
        {hasToken
          ? 'Run the command above. This page shows the device as soon as it reports.'
          : 'Generate a token above, or use one that the device already has. This page shows the device as soon as it reports.'}
      </p>
      <LongWait title="Nothing yet? Check these:">
        <li>Run the “Try it now” line on the device. It says whether the heartbeat arrived.</li>
        <li>
          The device must reach the address in the command. An address such as localhost only works
          on this computer.
        </li>
        <li>Was the token revoked, or the command copied only in part? Generate another.</li>
        <li>Cron and timers start within two minutes while the device is awake.</li>
      </LongWait>
    </>
  )
}
