import { Link } from 'react-router'
import { paths } from '../../paths.ts'

const steps = [
  {
    title: 'Pick a device',
    text: 'Anything that stays on and has a network.',
  },
  {
    title: 'Choose a tunnel or DNS method',
    text: 'Only if visitors come to it: a tunnel needs no open port.',
  },
  {
    title: 'Run a simple service',
    text: 'A chat room, a folder, a page of your own.',
  },
  {
    title: 'Share the island link',
    text: 'Put it on your device, and Navigators find it on the globe.',
  },
]

/** What to do, in four steps, with the guide that goes through it. */
export function Checklist() {
  return (
    <div className="flex flex-col gap-6 rounded-card border border-line bg-panel p-6 shadow-raised sm:p-8">
      <h3 id="checklist-title" className="text-title font-semibold">
        Quick checklist
      </h3>
      <ol aria-labelledby="checklist-title" className="flex flex-col gap-5">
        {steps.map(({ title, text }, index) => (
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
      <p className="border-t border-line pt-5 text-sm text-muted">
        Ready?{' '}
        <Link
          to={paths.connect()}
          className="text-accent underline decoration-transparent underline-offset-4 hover:decoration-current"
        >
          The step-by-step guide
        </Link>{' '}
        hands you the command to paste.
      </p>
    </div>
  )
}
