import type { Plugin } from 'vite'
import { faultsInOwnPacks } from '../src/booking/packs/packs.ts'

/** Fails the build if a country's pack does not have the shape of packs. */
export function checkedPacks(): Plugin {
  return {
    name: 'checked-packs',
    apply: 'build',
    buildStart() {
      const faults = faultsInOwnPacks()
      if (faults.length > 0) this.error(faults.join('\n'))
    },
  }
}
