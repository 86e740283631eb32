import { plural } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Fragment, type ReactElement, useState } from 'react'
import { formatNumber } from '../../../language/format.ts'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../../ui/menu.tsx'
import type { NodeColumns } from '../nodes/node-columns.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import type { Selection } from '../selection.ts'
import { sightOfCountry } from './country-table.ts'
import { countInCountries, type WorldCountry, worldCountries } from './world-countries.ts'

interface CountryMenuProps {
  readonly store: NodeStore
  readonly selection: Selection
  readonly trigger: ReactElement
}

/** Opens at once, because it renders after the click. Countries with the most devices come first. */
export function CountryMenu({ store, selection, trigger }: CountryMenuProps) {
  return (
    <Menu defaultOpen inPlace trigger={trigger}>
      <CountryItems store={store} selection={selection} />
    </Menu>
  )
}

function CountryItems({ store, selection }: Omit<CountryMenuProps, 'trigger'>) {
  const [counted] = useState(() => countCountries(worldCountries(), store.columns))
  const withDevices = counted.filter(({ nodes }) => nodes > 0)
  const others = counted.filter(({ nodes }) => nodes === 0)
  const entry = ({ country, nodes }: (typeof counted)[number]) => (
    <Fragment key={country.name}>
      <MenuItem onSelect={() => selection.turnTo(sightOfCountry(country))}>
        <span className="min-w-0 grow">{country.name}</span>
        {nodes > 0 && (
          <span className="text-xs text-muted" data-numeric>
            <span aria-hidden>{formatNumber(nodes)}</span>
            <span className="sr-only">
              {plural(nodes, { one: '# device', other: '# devices' })}
            </span>
          </span>
        )}
      </MenuItem>
      {country.states.map(({ name, ...sight }) => (
        <MenuItem key={name} onSelect={() => selection.turnTo(sight)} className="ps-7">
          {name}
        </MenuItem>
      ))}
    </Fragment>
  )
  return (
    <>
      {withDevices.length > 0 && (
        <>
          <MenuLabel>
            <Trans>With devices</Trans>
          </MenuLabel>
          {withDevices.map(entry)}
          <MenuSeparator />
          <MenuLabel>
            <Trans>Others</Trans>
          </MenuLabel>
        </>
      )}
      {others.map(entry)}
    </>
  )
}

function countCountries(world: readonly WorldCountry[], columns: NodeColumns) {
  const counts = countInCountries(world, columns)
  return world
    .map((country, index) => ({ country, nodes: counts[index] ?? 0 }))
    .toSorted((one, other) => other.nodes - one.nodes)
}
