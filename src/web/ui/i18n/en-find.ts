import type { deFind } from './de-find.ts'

export const enFind: typeof deFind = {
  find: {
    open: 'Find a time',
    free: 'free',
  },
  mark: {
    class_not_taught: 'does not teach {{license_class}}',
    not_dark: 'in daylight',
  },
}
