package conform;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Cuts the raw texts out of a request line, so that the SDK's own parser sees the numbers and duplicate keys
 * that were written. Iterative: depth costs no stack here.
 */
final class RawJson {
	private final String text;
	private int at;

	private RawJson(String text) {
		this.text = text;
	}

	/** The members of the object in {@code text}, each value as raw text. */
	static Map<String, String> members(String text) {
		RawJson scan = new RawJson(text);
		Map<String, String> members = new LinkedHashMap<>();
		scan.expect('{');
		while (scan.peek() != '}') {
			// Names in a request are plain words: schema, instances.
			String name = scan.value();
			scan.expect(':');
			members.put(name.substring(1, name.length() - 1), scan.value());
			scan.comma();
		}
		return members;
	}

	/** The elements of the array in {@code text} as raw texts. */
	static List<String> elements(String text) {
		RawJson scan = new RawJson(text);
		List<String> elements = new ArrayList<>();
		scan.expect('[');
		while (scan.peek() != ']') {
			elements.add(scan.value());
			scan.comma();
		}
		return elements;
	}

	private char peek() {
		while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
			at++;
		}
		if (at == text.length()) {
			throw new IllegalArgumentException("the request line ends too early");
		}
		return text.charAt(at);
	}

	private void expect(char c) {
		if (peek() != c) {
			throw new IllegalArgumentException("'" + c + "' was expected at offset " + at);
		}
		at++;
	}

	private void comma() {
		if (peek() == ',') {
			at++;
		}
	}

	private String value() {
		char first = peek();
		int start = at;
		if (first == '"') {
			string();
		}
		else if (first == '{' || first == '[') {
			nested();
		}
		else {
			while (at < text.length() && " \t\r\n,]}".indexOf(text.charAt(at)) < 0) {
				at++;
			}
		}
		if (at == start) {
			throw new IllegalArgumentException("a value was expected at offset " + at);
		}
		return text.substring(start, at);
	}

	private void nested() {
		int depth = 0;
		do {
			char c = peek();
			if (c == '"') {
				string();
				continue;
			}
			if (c == '{' || c == '[') {
				depth++;
			}
			else if (c == '}' || c == ']') {
				depth--;
			}
			at++;
		}
		while (depth > 0);
	}

	private void string() {
		at++;
		while (peek() != '"') {
			at += text.charAt(at) == '\\' ? 2 : 1;
		}
		at++;
	}
}
