export const deFind = {
  find: {
    open: 'Termin finden',
    free: 'frei',
  },
  mark: {
    class_not_taught: 'unterrichtet {{license_class}} nicht',
    not_dark: 'bei Tageslicht',
  },
}
