export const deSets = {
  setUndo: {
    action: 'Alles rückgängig machen',
    subject: 'Alles rückgängig machen: {{what}}, {{when}}',
    title_one: '{{count}} Änderung rückgängig machen?',
    title_other: '{{count}} Änderungen rückgängig machen?',
    all: 'Alles, was damals zusammen geändert wurde, ist danach wieder wie vorher.',
    done_one: '{{count}} Änderung rückgängig gemacht.',
    done_other: '{{count}} Änderungen rückgängig gemacht.',
    partly: '{{done}} von {{count}} Änderungen rückgängig gemacht.',
    step_one: 'Rücknahme von {{count}} Änderung',
    step_other: 'Rücknahme von {{count}} Änderungen',
    failed: 'Nicht rückgängig gemacht. {{why}}',
    already: 'Das wurde schon rückgängig gemacht.',
    changed_since: '{{what}} wurde seitdem geändert und bleibt.',
    in_use: '{{what}} hat inzwischen Fahrstunden und bleibt.',
    erased: '{{what}} ist endgültig gelöscht.',
    not_found: '{{what}} bleibt: Der Fahrschüler ist gelöscht.',
    not_undoable: '{{what}} lässt sich nicht zurücknehmen.',
    rule: '{{what}} passt nicht mehr in den Plan und bleibt.',
    more_one: '{{count}} weitere Änderung bleibt.',
    more_other: '{{count}} weitere Änderungen bleiben.',
  },
}

export type SetsTexts = typeof deSets
