import { Link } from 'react-router'
import Blocks from 'virtual:icon/blocks'
import LockKeyhole from 'virtual:icon/lock-keyhole'
import Zap from 'virtual:icon/zap'
import { hasRelay } from '../../lib/site-kind.ts'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { Checklist } from './checklist.tsx'
import { Section } from './section.tsx'

const points = [
  {
    icon: LockKeyhole,
    title: 'Private by default',
    text: 'Connecting opens no port and shares no file. You choose who sees your device.',
  },
  {
    icon: Zap,
    title: 'Simple setup',
    text: 'A laptop, an old phone or a Raspberry Pi will do. One command reports that it is online.',
  },
  {
    icon: Blocks,
    title: 'Modular services',
    text: 'Start with a chat, and add files or a game later.',
  },
]

export function ConnectYourDevice() {
  return (
    <Section
      id="connect"
      title="Connect your device"
      lead={`Host a social space, files, games or apps on a device you already own. ${
        hasRelay()
          ? 'It only calls out, and the relay brings your visitors to it: no port-forwarding.'
          : 'To be online it only calls out: no port-forwarding.'
      }`}
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
        <Link to={paths.connect()} className={buttonStyles({ size: 'lg' })}>
          Get started
        </Link>
        <Link to={paths.explore()} className={buttonStyles({ size: 'lg', variant: 'outline' })}>
          Browse islands
        </Link>
      </div>
    </Section>
  )
}
