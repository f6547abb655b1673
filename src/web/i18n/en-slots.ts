import type { deSlots } from './de-slots.ts'

export const enSlots: typeof deSlots = {
  slots: {
    until: 'Until',
    open: 'open',
    morning: 'Before 12',
    afternoon: '12–17',
    evening: 'From 17',
    anotherOne: 'Another instructor',
    without: 'Without {{name}}',
    noneUntil: 'Until {{day}} nothing is free that suits.',
    chosen_one: '{{count}} time chosen',
    chosen_other: '{{count}} times chosen',
    remove: 'Remove {{when}}',
    noneBooked: 'Nothing booked',
    oneRefused: '{{when}}: {{why}}',
    othersFit: 'Take this time out or choose another one. The others stay chosen.',
  },
}
