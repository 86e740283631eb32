import { ChevronDown, MapPin } from 'lucide-react'
import { Fragment } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import type { Attention } from '../attention.ts'
import { countries, sightOfCountry } from './country-table.ts'
import { jumpLabel } from './jump-label.ts'

/** The menu itself, open at first: it is drawn when the button has been clicked. */
export function CountryMenu({ attention }: { attention: Attention }) {
  return (
    <Menu
      defaultOpen
      inPlace
      trigger={
        <Button variant="outline" size="sm">
          <MapPin aria-hidden />
          {jumpLabel}
          <ChevronDown aria-hidden className="text-muted" />
        </Button>
      }
    >
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
