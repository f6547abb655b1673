/** The labels of fields, by the field's name. */
export const deFields = {
  field: {
    first_name: 'Vorname',
    last_name: 'Nachname',
    email: 'E-Mail',
    phone: 'Telefon',
    phone_2: 'Telefon 2',
    birth_date: 'Geburtsdatum',
    license_class_template_id: 'Klasse',
    preferred_instructor_id: 'Bevorzugter Fahrlehrer',
    license_class: 'Klasse',
    preferred_instructor: 'Fahrlehrer',
    pickup_place: 'Abholort',
    notes: 'Notizen',
    color: 'Farbe',
    license_classes: 'Klassen',
    hidden_license_classes: 'Nicht angebotene Klassen',
    max_daily_units: 'Einheiten am Tag',
    max_daily_override: 'Am Tag mit Ausnahme bis',
    max_weekly_units: 'Einheiten in der Woche',
    max_weekly_override: 'In der Woche mit Ausnahme bis',
    required_break_minutes: 'Pause zwischen Terminen',
    max_continuous_minutes: 'Längstens ohne Pause',
    availability_windows: 'Arbeitszeiten',
    vacations: 'Abwesenheiten',
    start_at: 'Beginn',
    end_at: 'Ende',
    title: 'Titel',
    practised: 'Geübt',
    actual_start_at: 'Wirklicher Beginn',
    actual_end_at: 'Wirkliches Ende',
    name: 'Name',
    role: 'Rolle',
    instructor_id: 'Fahrlehrer',
    password: 'Passwort',
    current_password: 'Bisheriges Passwort',
    new_password: 'Neues Passwort',
    locale: 'Sprache',
    timezone: 'Zeitzone',
    latitude: 'Breitengrad',
    longitude: 'Längengrad',
  },
}

export type FieldTexts = typeof deFields

/** The key of a field's label. */
export type FieldLabel = `field.${keyof FieldTexts['field']}`
