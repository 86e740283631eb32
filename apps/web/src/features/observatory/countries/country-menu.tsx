import { Fragment } from 'react'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import type { Attention } from '../attention.ts'
import { countries, sightOfCountry } from './country-table.ts'
import { JumpButton } from './jump-button.tsx'

/** The menu itself, open at first: it is drawn when the button has been clicked. */
export function CountryMenu({ attention }: { attention: Attention }) {
  return (
    <Menu defaultOpen inPlace trigger={<JumpButton />}>
      {countries.map((country) => (
        <Fragment key={country.name}>
          <MenuItem onSelect={() => attention.lookAt(sightOfCountry(country))}>
            {country.name}
          </MenuItem>
          <MenuSeparator />
          {country.states.map(({ name, ...sight }) => (
            <MenuItem key={name} onSelect={() => attention.lookAt(sight)}>
              {name}
            </MenuItem>
          ))}
        </Fragment>
      ))}
    </Menu>
  )
}
