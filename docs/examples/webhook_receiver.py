import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

def is_genuine(headers, body):
    sent_at, signatures = headers.get("webhook-timestamp", ""), headers.get("webhook-signature", "")
    signed = f"{headers.get('webhook-id')}.{sent_at}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.digest(KEY, signed, hashlib.sha256))
    is_fresh = sent_at.isdigit() and abs(time.time() - int(sent_at)) < 300
    return is_fresh and any(hmac.compare_digest(expected, one.encode()) for one in signatures.split(" "))

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if genuine := is_genuine(self.headers, body):
            event, payload = map(json.loads(body).get, ("event", "payload"))  # Store them in a queue of your own instead.
            print(event["sequence"], event["type"], json.dumps(payload), flush=True)
        self.send_response(204 if genuine else 401)
        self.end_headers()

server = ThreadingHTTPServer(("", int(os.environ.get("PORT", 8080))), Receiver)
print("Listening on port", server.server_port, flush=True)
server.serve_forever()
