import { Seals } from './seals.ts'

/** Seals the addresses of busy calendars, which are secrets, each for its own calendar. */
export class BusyAddresses extends Seals {
  constructor(jwtSecret: string) {
    super(jwtSecret, 'fahrplan busy calendar')
  }
}
