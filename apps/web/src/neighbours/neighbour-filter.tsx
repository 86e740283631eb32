import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Settings2 from 'virtual:icon/settings-2'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/select.tsx'
import { useDialog } from '../ui/use-dialog.tsx'
import { knownFrom, useNeighbours } from './use-neighbours.ts'

const fetchDialog = async () => (await import('./neighbours-dialog.tsx')).NeighboursDialog

interface NeighbourFilterProps {
  /** 'all', 'here' or a neighbour's id. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly className?: string
}

/** Nothing if there are no neighbours. */
export function NeighbourFilter({ value, onChange, className }: NeighbourFilterProps) {
  const { all, shown } = useNeighbours()
  const { open, dialog } = useDialog(fetchDialog)
  if (all.length === 0) return null
  return (
    <div className={className}>
      {shown.length > 0 && (
        <Select
          aria-label={t`From which installation`}
          value={knownFrom(value, shown)}
          onChange={(event) => onChange(event.target.value)}
          className="min-w-0 flex-1"
        >
          <option value="all">{t`From everywhere`}</option>
          <option value="here">{t`From here`}</option>
          {shown.map(({ id, name, islandCount, deviceCount }) => (
            <option key={id} value={id}>
              {islandCount + deviceCount === 0 ? t`${name} (nothing right now)` : name}
            </option>
          ))}
        </Select>
      )}
      <Button
        variant="outline"
        aria-label={t`Choose neighbours`}
        title={t`Choose neighbours`}
        onClick={() => open({})}
        {...(shown.length > 0 && { size: 'icon' as const })}
      >
        <Settings2 aria-hidden />
        {shown.length === 0 && <Trans>Neighbours are off</Trans>}
      </Button>
      {dialog}
    </div>
  )
}
