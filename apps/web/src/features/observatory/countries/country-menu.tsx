import { Fragment, type ReactElement } from 'react'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import type { Selection } from '../selection.ts'
import { countries, sightOfCountry } from './country-table.ts'

interface CountryMenuProps {
  readonly selection: Selection
  readonly trigger: ReactElement
}

/** The menu itself, open at first: it is drawn when the button has been clicked. */
export function CountryMenu({ selection, trigger }: CountryMenuProps) {
  return (
    <Menu defaultOpen inPlace trigger={trigger}>
      {countries.map((country) => (
        <Fragment key={country.name}>
          <MenuItem onSelect={() => selection.lookAt(sightOfCountry(country))}>
            {country.name}
          </MenuItem>
          <MenuSeparator />
          {country.states.map(({ name, ...sight }) => (
            <MenuItem key={name} onSelect={() => selection.lookAt(sight)}>
              {name}
            </MenuItem>
          ))}
        </Fragment>
      ))}
    </Menu>
  )
}
