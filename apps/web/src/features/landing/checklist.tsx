import { Link } from 'react-router'
import ArrowRight from 'virtual:icon/arrow-right'
import { hasRelay } from '../../lib/site-kind.ts'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'

const steps = () => [
  {
    title: 'Pick a device',
    text: 'Anything that stays on and has a network.',
  },
  {
    title: 'Choose a tunnel or DNS method',
    text: hasRelay()
      ? 'You need neither here. Your device connects to the relay of this site, and visitors come in through it.'
      : 'To be online you need neither. For visitors from elsewhere, use a tunnel, which opens no port, or a DNS name.',
  },
  {
    title: 'Run a simple service',
    text: 'A chat room, a folder, a page of your own.',
  },
  {
    title: 'Share the island link',
    text: hasRelay()
      ? 'The Island Builder gives it an address that your friends open in any browser.'
      : 'Add the link to your device, and others find it on the globe.',
  },
]

/** How to start, in four steps, with a link to the full guide. */
export function Checklist() {
  return (
    <div className="flex flex-col gap-6 rounded-card border border-line bg-panel p-6 shadow-raised sm:p-8">
      <h3 id="checklist-title" className="text-title font-semibold">
        Quick checklist
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
        <Link to={paths.connect()} className={buttonStyles({ variant: 'outline' })}>
          Open the step-by-step guide
          <ArrowRight aria-hidden />
        </Link>
      </div>
    </div>
  )
}
