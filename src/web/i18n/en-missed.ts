import type { MissedTexts } from './de-missed.ts'

export const enMissed: MissedTexts = {
  restore: {
    action: 'Restore',
    subject: 'Restore {{what}}',
    done: 'Restored: {{what}}',
    step: 'restored {{what}}',
    failed: 'Not restored: {{what}}. {{why}}',
  },
}
