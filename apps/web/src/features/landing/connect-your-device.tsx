import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { LinkButton } from '../../lib/link-button.tsx'
import ArrowRight from 'virtual:icon/arrow-right'
import Blocks from 'virtual:icon/blocks'
import LockKeyhole from 'virtual:icon/lock-keyhole'
import Zap from 'virtual:icon/zap'
import { hasRelay } from '../../lib/site-kind.ts'
import { paths } from '../../paths.ts'
import { Section } from './section.tsx'

const points = [
  {
    icon: LockKeyhole,
    title: t`Private by default`,
    text: t`Connecting opens no port and shares no file. You choose who sees your device.`,
  },
  {
    icon: Zap,
    title: t`Simple setup`,
    text: t`A laptop, an old phone or a Raspberry Pi will do. One command reports that it is online.`,
  },
  {
    icon: Blocks,
    title: t`Modular services`,
    text: t`Start with a chat, and add files or a game later.`,
  },
]

export function ConnectYourDevice() {
  return (
    <Section
      id="connect"
      title={t`Connect your device`}
      lead={
        hasRelay()
          ? t`Host a social space, files, games or apps on a device you already own. It only calls out, and the relay brings your visitors to it: no port-forwarding.`
          : t`Host a social space, files, games or apps on a device you already own. To be online it only calls out: no port-forwarding.`
      }
      beside={<Checklist />}
    >
      <ul className="flex flex-col gap-8">
        {points.map(({ icon: Icon, title, text }) => (
          <li key={title} className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
            <Icon aria-hidden className="mt-1 size-5 text-accent" />
            <h3 className="text-title font-semibold">{title}</h3>
            <p className="col-start-2 max-w-lg text-muted">{text}</p>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <LinkButton to={paths.connect()} size="lg">
          <Trans>Get started</Trans>
        </LinkButton>
        <LinkButton to={paths.explore()} size="lg" variant="outline">
          <Trans>Browse islands</Trans>
        </LinkButton>
      </div>
    </Section>
  )
}

const steps = () => [
  { title: t`Pick a device`, text: t`Anything that stays on and has a network.` },
  {
    title: t`Choose a tunnel or DNS method`,
    text: hasRelay()
      ? t`You need neither here. Your device connects to the relay of this site, and visitors come in through it.`
      : t`To be online you need neither. For visitors from elsewhere, use a tunnel, which opens no port, or a DNS name.`,
  },
  { title: t`Run a simple service`, text: t`A chat room, a folder, a page of your own.` },
  {
    title: t`Share the island link`,
    text: hasRelay()
      ? t`The Island Builder gives it an address that your friends open in any browser.`
      : t`Add the link to your device, and others find it on the globe.`,
  },
]

function Checklist() {
  return (
    <div className="flex flex-col gap-6 rounded-card border border-line bg-panel p-6 shadow-raised sm:p-8">
      <h3 id="checklist-title" className="text-title font-semibold">
        <Trans>Quick checklist</Trans>
      </h3>
      <ol aria-labelledby="checklist-title" className="flex flex-col gap-5">
        {steps().map(({ title, text }, index) => (
          <li key={title} className="grid grid-cols-[auto_1fr] gap-x-4">
            <span
              aria-hidden
              data-numeric
              className="flex size-7 items-center justify-center rounded-full bg-accent-soft text-sm font-medium text-accent"
            >
              {index + 1}
            </span>
            <span className="font-medium">{title}</span>
            <span className="col-start-2 text-sm text-muted">{text}</span>
          </li>
        ))}
      </ol>
      <div className="border-t border-line pt-6">
        <LinkButton to={paths.connect()} variant="outline">
          <Trans>Open the step-by-step guide</Trans>
          <ArrowRight aria-hidden />
        </LinkButton>
      </div>
    </div>
  )
}
