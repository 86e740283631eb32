import type { CheckTarget } from '@astropelago/contract/checks'
import { t } from '@lingui/core/macro'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Tabs } from '../../ui/tabs.tsx'

export type PushTarget = Extract<CheckTarget, { kind: 'push' }>

const curl = 'curl -fsS -m 10 --retry 5 -o /dev/null'
/** Stands for the program that people watch. */
const job = '/path/to/job'

/** The address that a script reports to, and what to paste into the script. */
export function ReportCommands({ url, target }: { url: string; target: PushTarget }) {
  const cron = `${cronOf(target)} ${job} && ${curl} ${url}`
  const exit = `${job}; ${curl} "${url}/$?"`
  const both = [`${curl} ${url}/start`, job, `${curl} "${url}/$?"`].join('\n')
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <CodeBlock label={t`Secret address`} text={url} />
      <Tabs
        label={t`Ways to report`}
        tabs={[
          tabOf(t`With cron`, 'crontab', cron, t`A report comes when the job has worked.`),
          tabOf(
            t`With its exit code`,
            'sh',
            exit,
            t`With 0 the check is up. With anything else it is down at once.`,
          ),
          tabOf(
            t`Start and end`,
            'sh',
            both,
            t`How long the job takes is in the check’s history, too.`,
          ),
        ]}
      />
    </div>
  )
}

function tabOf(name: string, language: string, text: string, about: string) {
  return {
    name,
    content: (
      <div className="flex min-w-0 flex-col gap-3">
        <CodeBlock label={name} language={language} text={text} />
        <p className="text-sm text-muted">{about}</p>
      </div>
    ),
  }
}

const crons: ReadonlyMap<number, string> = new Map([
  [60, '* * * * *'],
  [300, '*/5 * * * *'],
  [900, '*/15 * * * *'],
  [3600, '0 * * * *'],
  [86_400, '30 3 * * *'],
])

function cronOf({ cron, periodS }: PushTarget): string {
  return cron?.expression ?? crons.get(periodS) ?? '*/5 * * * *'
}
