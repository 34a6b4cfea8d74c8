// Shows push messages of Sarsen, and opens their match. Browsers with declarative Web Push do both without it.
self.addEventListener("push", (event) => {
  const { notification, data } = event.data.json();
  const { title, body, tag, navigate } = notification;
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: { ...data, navigate } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { navigate, match_id } = event.notification.data;
  event.waitUntil(clients.openWindow(navigate ?? `./?match=${match_id ?? ""}`));
});
