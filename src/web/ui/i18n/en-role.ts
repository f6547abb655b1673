import type { deRole } from './de-role.ts'

export const enRole: typeof deRole = {
  role: {
    lost_one: '{{count}} entry has not been sent yet. Logging out discards it.',
    lost_other: '{{count}} entries have not been sent yet. Logging out discards them.',
    owner: 'Owner',
    office: 'Office',
    instructor: 'Instructor',
    changed: 'You now have the role “{{role}}”. You can copy what is not saved here before you continue.',
    goOn: 'Go on',
    officeOnly: 'This page is for the office.',
    ownerOnly: 'This page is for the owner.',
    forbidden: 'Your role does not allow that.',
  },
}
