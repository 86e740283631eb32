import type { SubjectRules } from '@astropelago/contract/alert-rules'
import type { OwnAlerts } from '@astropelago/contract/alerts'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { afterGraceText } from '../rules/grace-words.ts'

type Differing = OwnAlerts['differing'][number]

/** Devices and islands with rules of their own. */
export function DifferingThings({ things }: { things: readonly Differing[] }) {
  if (things.length === 0) return null
  return (
    <div className="flex min-w-0 flex-col gap-3 border-t border-line pt-5">
      <h3 id="differing-heading" className="text-sm font-medium">
        Where it differs
      </h3>
      <ul aria-labelledby="differing-heading" className="flex min-w-0 flex-col gap-2 text-sm">
        {things.map((thing) => (
          <li key={`${thing.of} ${thing.id}`} className="min-w-0 wrap-anywhere">
            <Link
              to={pathOf(thing)}
              className={`${buttonStyles({ variant: 'link' })} max-w-full whitespace-normal!`}
            >
              <bdi>{thing.name}</bdi>
            </Link>
            <span className="text-muted">: {wordsOf(thing.rules)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function pathOf({ of, id, slug }: Differing): string {
  return of === 'island' && slug !== null ? paths.island(slug) : paths.device(id)
}

function wordsOf({ isOn, graceS, tellsOnline, tellsWarnings, channels }: SubjectRules): string {
  if (isOn === false) return 'not told'
  const differences = [
    isOn === true && 'told',
    graceS !== null && afterGraceText(graceS),
    tellsOnline !== null && (tellsOnline ? 'also when it is back' : 'not when it is back'),
    tellsWarnings !== null && (tellsWarnings ? 'with warnings' : 'without warnings'),
    channels !== null && `to ${channels.length} ${channels.length === 1 ? 'channel' : 'channels'}`,
  ]
  return differences.filter((part) => part !== false).join(', ')
}
