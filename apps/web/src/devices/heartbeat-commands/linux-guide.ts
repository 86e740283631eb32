import { t } from '@lingui/core/macro'
import { type CommandBlock, type CommandGuide, sh } from './command-guide.ts'
import { linuxInstall, type LinuxJob, linuxRemoval, type LinuxWay } from './linux-install.ts'

interface LinuxGuide {
  readonly job: LinuxJob
  readonly way?: LinuxWay
  readonly files?: readonly CommandBlock[]
  readonly notes: readonly string[]
}

export function linuxGuide({ job, way = 'any', files = [], notes }: LinuxGuide): CommandGuide {
  const units = job.units.map(({ name, text }) => ({
    title: t`Where systemd runs it: ${name}, in ~/.config/systemd/user or, as root, in /etc/systemd/system`,
    text,
    language: 'ini' as const,
  }))
  const line = {
    title: t`Where cron runs it: the line in your crontab`,
    text: job.cronLine,
    language: 'crontab' as const,
  }
  return {
    steps: [sh(t`Paste this into a terminal on the device`, linuxInstall(job, way))],
    installs: [...(way === 'cron' ? [] : units), ...(way === 'systemd' ? [] : [line]), ...files],
    removal: sh(t`To stop it`, linuxRemoval(job)),
    notes,
  }
}
