export const deMissed = {
  restore: {
    action: 'Wiederherstellen',
    subject: '{{what}} wiederherstellen',
    done: 'Wiederhergestellt: {{what}}',
    step: '{{what}} wiederhergestellt',
    failed: 'Nicht wiederhergestellt: {{what}}. {{why}}',
  },
  unmarked: {
    count_one: '{{count}} Fahrstunde ohne Ergebnis',
    count_other: '{{count}} Fahrstunden ohne Ergebnis',
    word: 'ohne Ergebnis',
    title: 'Vergangene Fahrstunden ohne Ergebnis',
    hint: 'Diese Fahrstunden der letzten 60 Tage sind vorbei und noch geplant. Nehmen Sie das Häkchen weg, wo keine stattfand, und tragen Sie den Rest des Tages als erledigt ein.',
    none: 'Jede Fahrstunde der letzten 60 Tage hat ein Ergebnis.',
    mark_one: '{{count}} als erledigt eintragen',
    mark_other: '{{count}} als erledigt eintragen',
    open: '{{what}} anzeigen',
    marked_one: '{{count}} Fahrstunde als erledigt eingetragen',
    marked_other: '{{count}} Fahrstunden als erledigt eingetragen',
    partly_one: '{{done}} als erledigt eingetragen, {{count}} nicht: {{why}}',
    partly_other: '{{done}} als erledigt eingetragen, {{count}} nicht: {{why}}',
    step_one: '{{count}} Fahrstunde als erledigt eingetragen',
    step_other: '{{count}} Fahrstunden als erledigt eingetragen',
  },
}

export type MissedTexts = typeof deMissed
