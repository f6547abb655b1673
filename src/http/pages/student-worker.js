/** Shows the messages of a student on a device, and opens the student's page when one is pressed. */
self.addEventListener('push', (event) => {
  const { id, title, body, lang } = event.data.json()
  // A repetition replaces the first.
  event.waitUntil(self.registration.showNotification(title, { body, lang, tag: id }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(self.clients.openWindow(self.registration.scope.replace(/\/$/, '')))
})
