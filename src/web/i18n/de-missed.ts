export const deMissed = {
  restore: {
    action: 'Wiederherstellen',
    subject: '{{what}} wiederherstellen',
    done: 'Wiederhergestellt: {{what}}',
    step: '{{what}} wiederhergestellt',
    failed: 'Nicht wiederhergestellt: {{what}}. {{why}}',
  },
}

export type MissedTexts = typeof deMissed
