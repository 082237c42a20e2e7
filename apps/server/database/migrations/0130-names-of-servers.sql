-- The series of a server said the name of its machine to every admin.
update server_samples set server = 'server ' || left(encode(sha256(convert_to(server, 'UTF8')), 'hex'), 4)
where server !~ '^server [0-9a-f]{4}$';
